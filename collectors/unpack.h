/* collectors/unpack.h - a source tarball into a folder, trusting neither its paths nor its size */
#pragma once
#include "collectors/progress.h"
#include "record/fault.h"

/**
 * unpack_tarball() - unpack @tarball (tar, plain or compressed) into the folder @folder
 * @tarball, @folder: absolute; the folder exists and is ours alone
 *
 * Refused, naming the member: paths that are absolute, contain ".." or lead through a symbolic
 * link, hard links that do, anything but files, folders and links, and more than any kernel holds.
 * Checks the free space first. Changes the working directory and changes it back.
 *
 * Return: 0; -ENOSPC when there is not enough room; -EINTR when interrupted; -EINVAL for a bad or
 * truncated archive; another negative errno. What was unpacked so far stays.
 */
int unpack_tarball(const char *tarball, const char *folder, struct progress *progress,
                   struct fault *fault);
