/* record/hush.h - libraries that write to stderr what their caller is told as well
 *
 * libxcb, and Xlib through it, print a server's reason for turning a client away. A fault of ours
 * is one line that names the place, so that this one is kept out.
 */
#pragma once

/**
 * hush_stderr() - send what is written to stderr nowhere, in the whole process
 * Return: for hush_end(), or negative when stderr is as it was.
 */
int hush_stderr(void);

/** hush_end() - stderr as it was; does nothing with a negative @saved */
void hush_end(int saved);
