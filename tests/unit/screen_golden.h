/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens as they are to look; a test that fails prints what it got. */
#ifndef SCREEN_GOLDEN_H
#define SCREEN_GOLDEN_H

/* clang-format off */

/* 40x10. */
#define GOLDEN_40 \
    "fw.elf   RUNNING   251904   996/s\n" \
    "SHAREv  FUNCTION\n" \
    "  24.1  fir_filter\n" \
    "   9.8  crc32_update\n" \
    "   3.7  __aeabi_ddiv\n" \
    "   0.5  vPortExitCritical\n" \
    "-- interrupts 6.9% of samples ----------\n" \
    "   6.9  ADC_IRQHandler\n" \
    "-- idle 38.6% of samples, 0 of 1 rows --\n" \
    "Enter zoom  / filter  ? help  q quit\n"

/* 40x10 with UTF-8 and a cursor. */
#define GOLDEN_40_UTF8 \
    "fw.elf   RUNNING   251904   996/s\n" \
    "SHARE▼  FUNCTION\n" \
    "> 24.1  fir_filter\n" \
    "   9.8  crc32_update\n" \
    "   3.7  __aeabi_ddiv\n" \
    "   0.5  vPortExitCritical\n" \
    "── interrupts 6.9% of samples ──────────\n" \
    "   6.9  ADC_IRQHandler\n" \
    "── idle 38.6% of samples, 0 of 1 rows ──\n" \
    "Enter zoom  / filter  ? help  q quit\n"

/* 80x24. */
#define GOLDEN_80 \
    "mprof top   fw.elf 3f9a21c (= flash)   STM32F407 Cortex-M4F   RUNNING\n" \
    "openocd-tcl :6666   halts 0   poll 4.0 ms   updated 0.1 s ago   since reset\n" \
    "stream+table   251904 samples   996/s of 997 Hz, jittered   lost 0   late 0.4%\n" \
    "CPU time   tasks 49.2%   irq 12.1%   idle 38.6%   unknown 0.1%\n" \
    "\n" \
    "SHAREv   +/-    NOW  0        38.6  MINUTE      FUNCTION              FILE:LINE\n" \
    "  24.1   0.2   24.1  |#######       ..:-==+#*#  fir_filter            dsp.c:41\n" \
    "   9.8   0.1    9.8  |###           #+=+=:::..  crc32_update          crc.c:17\n" \
    "   3.7   0.1    3.7  |#             #*+##+*#++  __aeabi_ddiv          -\n" \
    "   0.5   0.0    0.5  |              #*+##+*#++  vPortExitCritical     port.c:412\n" \
    "-- interrupts 6.9% of samples --------------------------------------------------\n" \
    "   6.9   0.1    6.9  |##             -#..#- **  ADC_IRQHandler        adc.c:88\n" \
    "-- idle 38.6% of samples -------------------------------------------------------\n" \
    "  38.6   0.2   38.6  |############  #*+##+*#++  vApplicationIdleHook  main.c:203\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "Enter zoom  / filter  s sort  t since/10s  b base  w save  ? help  q quit\n"

/* 80x24 with UTF-8, a message and a cursor on a stale row. */
#define GOLDEN_80_UTF8 \
    "mprof top   fw.elf 3f9a21c (= flash)   STM32F407 Cortex-M4F   RUNNING\n" \
    "openocd-tcl :6666   halts 0   poll 4.0 ms   updated 0.1 s ago   since reset\n" \
    "stream+table   251904 samples   996/s of 997 Hz, jittered   lost 0   late 0.4%\n" \
    "CPU time   tasks 49.2%   irq 12.1%   idle 38.6%   unknown 0.1%\n" \
    "halted for 4 ms by each poll, as --allow-halt says\n" \
    "SHARE▼     ±    NOW  0        38.6  MINUTE      FUNCTION              FILE:LINE\n" \
    "  24.1   0.2   24.1  ████████▏      ▂▂▃▄▅▅▆█▇█  fir_filter            dsp.c:41\n" \
    "   9.8   0.1    9.8  ███▎           █▆▅▆▅▃▃▃▂▂  crc32_update          crc.c:17\n" \
    "   3.7   0.1    3.7  █▎             █▇▆██▆▇█▆▆  __aeabi_ddiv          -\n" \
    ">  0.5   0.0    0.5  ▏              █▇▆██▆▇█▆▆  vPortExitCritical     port.c:412\n" \
    "── interrupts 6.9% of samples ──────────────────────────────────────────────────\n" \
    "   6.9   0.1    6.9  ██▍            ▁▄█▂▂█▄▁▇▇  ADC_IRQHandler        adc.c:88\n" \
    "── idle 38.6% of samples ───────────────────────────────────────────────────────\n" \
    "  38.6   0.2   38.6  █████████████  █▇▆██▆▇█▆▆  vApplicationIdleHook  main.c:203\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "! vPortExitCritical   some of its numbers are of an earlier refresh\n" \
    "Enter zoom  / filter  s sort  t since/10s  b base  w save  ? help  q quit\n"

/* 200x50. */
#define GOLDEN_200 \
    "mprof top   fw.elf 3f9a21c (= flash)   STM32F407 Cortex-M4F   RUNNING\n" \
    "openocd-tcl :6666   halts 0   poll 4.0 ms   updated 0.1 s ago   since reset   Open On-Chip Debugger 0.12.0\n" \
    "stream+table   251904 samples   996/s of 997 Hz, jittered   lost 0   late 0.4%\n" \
    "CPU time   tasks 49.2%   irq 12.1%   idle 38.6%   unknown 0.1%   overall, of samples: tasks 50.1%  irq 12.0%  idle 37.8%  unknown 0.1%\n" \
    "\n" \
    "SHAREv   +/-    NOW    CPU      RATE      MEAN        HITS  0                                       38.6  LAST MINUTE                                                   FUNCTION              FILE:LINE\n" \
    "  24.1   0.2   24.1   24.1     607.1     242.8       60709  |###########################                  .................::::------------------++++++++**====++++++#  fir_filter            dsp.c:41\n" \
    "   9.8   0.1    9.8    9.8     246.9      98.7       24687  |###########                                  #####****==========+++=======-:::::::::::::::::............   crc32_update          crc.c:17\n" \
    "   3.7   0.1    3.7    3.7      93.2      37.3        9320  |####                                         #########++++++++++##########++++++++++##########++++++++++#  __aeabi_ddiv          -\n" \
    "   0.5   0.0    0.5    0.5      12.0       4.8        1200  |#                                            #########++++++++++##########++++++++++##########++++++++++#  vPortExitCritical     port.c:412\n" \
    "-- interrupts 6.9% of samples --------------------------------------------------------------------------------------------------------------------------------------------------------------------------\n" \
    "   6.9   0.1    6.9    6.9     173.8      69.5       17381  |########                                              ##########          ##########          ##########   ADC_IRQHandler        adc.c:88\n" \
    "-- idle 38.6% of samples -------------------------------------------------------------------------------------------------------------------------------------------------------------------------------\n" \
    "  38.6   0.2   38.6   38.6     972.3     388.9       97234  |###########################################  #########++++++++++##########++++++++++##########++++++++++#  vApplicationIdleHook  main.c:203\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "Enter zoom  / filter  s sort  t since/10s  b base  w save  p pause  ? help  q quit\n"

/* 200x50 with UTF-8. */
#define GOLDEN_200_UTF8 \
    "mprof top   fw.elf 3f9a21c (= flash)   STM32F407 Cortex-M4F   RUNNING\n" \
    "openocd-tcl :6666   halts 0   poll 4.0 ms   updated 0.1 s ago   since reset   Open On-Chip Debugger 0.12.0\n" \
    "stream+table   251904 samples   996/s of 997 Hz, jittered   lost 0   late 0.4%\n" \
    "CPU time   tasks 49.2%   irq 12.1%   idle 38.6%   unknown 0.1%   overall, of samples: tasks 50.1%  irq 12.0%  idle 37.8%  unknown 0.1%\n" \
    "\n" \
    "SHARE▼     ±    NOW    CPU      RATE      MEAN        HITS  0                                       38.6  LAST MINUTE                                                   FUNCTION              FILE:LINE\n" \
    "  24.1   0.2   24.1   24.1     607.1     242.8       60709  ███████████████████████████▌                  ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▆▆▆▆▆▆▆▆▇▇▅▅▅▅▆▆▆▆▆▆█  fir_filter            dsp.c:41\n" \
    "   9.8   0.1    9.8    9.8     246.9      98.7       24687  ███████████▏                                  █████▇▇▇▇▅▅▅▅▅▅▅▅▅▅▆▆▆▅▅▅▅▅▅▅▄▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▂▂▂▂▂▂▂▂▂▂▂▂▁  crc32_update          crc.c:17\n" \
    "   3.7   0.1    3.7    3.7      93.2      37.3        9320  ████▎                                         █████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆█  __aeabi_ddiv          -\n" \
    "   0.5   0.0    0.5    0.5      12.0       4.8        1200  ▌                                             █████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆█  vPortExitCritical     port.c:412\n" \
    "── interrupts 6.9% of samples ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────\n" \
    "   6.9   0.1    6.9    6.9     173.8      69.5       17381  ███████▉                                      ▁▁▁▁▁▁▁▁▁██████████▁▁▁▁▁▁▁▁▁▁██████████▁▁▁▁▁▁▁▁▁▁██████████▁  ADC_IRQHandler        adc.c:88\n" \
    "── idle 38.6% of samples ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────\n" \
    "  38.6   0.2   38.6   38.6     972.3     388.9       97234  ████████████████████████████████████████████  █████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆██████████▆▆▆▆▆▆▆▆▆▆█  vApplicationIdleHook  main.c:203\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "Enter zoom  / filter  s sort  t since/10s  b base  w save  p pause  ? help  q quit\n"

/* 80x24 without hits. */
#define GOLDEN_EMPTY \
    "mprof top   fw.elf 3f9a21c (= flash)   STM32F407 Cortex-M4F   RUNNING\n" \
    "openocd-tcl :6666   halts 0   poll 4.0 ms   updated 0.1 s ago   since reset\n" \
    "stream+table   251904 calls   lost 0   rows 0\n" \
    "\n" \
    "SHAREv   +/-    NOW  0                    1.0  MINUTE      FUNCTION   FILE:LINE\n" \
    "no hits yet\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "\n" \
    "Enter zoom  / filter  s sort  t since/10s  b base  w save  ? help  q quit\n"

/* clang-format on */

#endif
