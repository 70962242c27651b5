# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware in the style of vendors' projects, built in a folder: without a stub, a build-id or anything else that
mprof could count on."""

import pathlib
import subprocess

SOURCES = pathlib.Path(__file__).parent / "foreign"
FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-Os", "-g", "-ffreestanding", "-nostdlib", "-Wall", "-Wextra", "-Werror",
         "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments")
APP = 0x10000
IN_RAM = '-DFAST=__attribute__((section(".RamFunc")))'
# They take half, three tenths and a fifth of the time.
FUNCTIONS = ("crc_block", "fir_block", "pid_step")


def run(*words):
    subprocess.run([*map(str, words)], check=True, capture_output=True, text=True)


def build(elf, source="vendor.c", start=0, *, fast="-DFAST=", moved=0):
    """The program as elf, in flash from start on."""
    run("arm-none-eabi-gcc", *FLAGS, fast, f"-DAPP={APP:#x}", f"-DMOVED={moved}",
        f"-Wl,--defsym=_start_of_flash={start:#x}",
        "-T", SOURCES / "vendor.ld", SOURCES / source, "-o", elf)
    return elf


def strip(elf, to):
    run("arm-none-eabi-strip", "-s", elf, "-o", to)
    return to


def debug_file(elf, to):
    """Its symbols and debug information alone."""
    run("arm-none-eabi-objcopy", "--only-keep-debug", elf, to)
    return to


def flash(to, images):
    """One file with the bytes of several programs, as a programmer writes them: {address: elf}. Without a
    symbol."""
    text = [".section .flash, \"ax\""]
    for at, elf in sorted(images.items()):
        binary = elf.with_suffix(".bin")
        run("arm-none-eabi-objcopy", "-O", "binary", "-j", ".isr_vector", "-j", ".text", "-j", ".data", elf, binary)
        text += [f".org {at:#x}", f'.incbin "{binary}"']
    source = to.with_suffix(".S")
    source.write_text("\n".join(text) + "\n")
    whole = to.with_suffix(".whole")
    run("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostdlib", "-Wl,--build-id=none",
        "-Wl,--section-start=.flash=0", "-Wl,-e,0", source, "-o", whole)
    return strip(whole, to)
