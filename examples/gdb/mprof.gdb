# SPDX-License-Identifier: 0BSD
# mprof inside gdb, over whatever gdb is connected to: dumps s_prof and prints mprof's report of it.
#
#   source /usr/local/share/mprof/mprof.gdb       (in .gdbinit, or by hand)
#   mprof                                         while the target is halted
#   mprof --by line --limit 10                    options of mprof report
#
# gdb 10 or later, without Python. The program mprof must be in PATH, or named by MPROF in the
# environment. The dump lies in /tmp/mprof-PID, which only this user can open, PID being gdb's own:
# the shell knows it as $PPID, and tells it to gdb by exit codes, the one way back there is.

define mprof
  pipe info variables -q ^s_prof$ | grep -Eq '(^0x[0-9a-f]+ +s_prof$|[ *]s_prof;$)'
  if $_shell_exitcode != 0
    echo mprof: there is no s_prof in the program that gdb has loaded: link the stub into it\n
  else
    # Words of its header: the magic, and the bytes of all of it. In a dump that is cut short here,
    # because no memory can be read, nothing lies about yet.
    set $mprof_magic = *(unsigned int *) &s_prof
    set $mprof_size = *(unsigned int *) ((char *) &s_prof + 12)
    if $mprof_magic != 0x6672706d || $mprof_size > 0x1000000
      echo mprof: s_prof is not initialised: has mprof_init() run?\n
    else
      shell exit $(($PPID % 256))
      set $mprof_id = $_shell_exitcode
      shell exit $(($PPID / 256 % 256))
      set $mprof_id = $mprof_id + 256 * $_shell_exitcode
      shell exit $(($PPID / 65536))
      set $mprof_id = $mprof_id + 65536 * $_shell_exitcode
      shell d=/tmp/mprof-$PPID; [ -O $d ] && [ ! -L $d ] && rm -rf $d; mkdir -m 700 $d && : >$d/args
      if $_shell_exitcode == 0
        pipe info files | sed -n 's/^Symbols from "\(.*\)"\.$/\1/p' | head -n 1 >/tmp/mprof-$PPID/elf
        set $mprof_i = 0
        while $mprof_i < $argc
          eval "shell printf '%%s\\n' $arg%d >>/tmp/mprof-$PPID/args", $mprof_i
          set $mprof_i = $mprof_i + 1
        end
        eval "dump binary memory /tmp/mprof-%d/s_prof &s_prof (char *) &s_prof + %u", $mprof_id, $mprof_size
        shell d=/tmp/mprof-$PPID; set --; while IFS= read -r a; do set -- "$@" "$a"; done <$d/args; "${MPROF:-mprof}" report --raw $d/s_prof --elf "$(cat $d/elf)" "$@"; s=$?; rm -rf $d; exit $s
      end
    end
  end
end

document mprof
Show where the halted program has spent its time: mprof [OPTION]...
Dumps s_prof, the table of mprof's stub, from the target, and runs "mprof report" on it with the
ELF file that gdb has loaded. What is given is passed on, for example:
  mprof --by line
  mprof --limit 10 --fields share,hits,function
  mprof --format json -o profile.json
The options are those of "mprof report --help". The target must be halted, and is left so.
end
