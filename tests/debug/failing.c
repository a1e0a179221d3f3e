// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * failing N REPORT COMMAND [ARGUMENT...]: run COMMAND with the Nth allocation of
 * its thread failing; write to the file REPORT how many were left to go, 0 if that
 * one came. Ends with the command's exit status.
 *
 * Only the kernel that a process has left can tell, and only before it is reaped.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fatal(const char *what)
{
	perror(what);
	exit(126);
}

static void file_write(const char *path, int flags, const char *text)
{
	int fd = open(path, flags, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fatal(path);
	close(fd);
}

int main(int argc, char **argv)
{
	char path[64], left[32];
	siginfo_t info;
	int fd, status;
	ssize_t n;
	pid_t pid;

	if (argc < 4) {
		fprintf(stderr, "usage: failing N REPORT COMMAND...\n");
		return 126;
	}
	pid = fork();
	if (pid < 0)
		fatal("fork");
	if (!pid) {
		file_write("/proc/thread-self/fail-nth", O_WRONLY, argv[1]);
		execvp(argv[3], argv + 3);
		fatal(argv[3]);
	}
	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		fatal("waitid");
	snprintf(path, sizeof(path), "/proc/%d/fail-nth", (int)pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		fatal(path);
	n = read(fd, left, sizeof(left) - 1);
	if (n < 0)
		fatal(path);
	left[n] = 0;
	file_write(argv[2], O_WRONLY | O_CREAT | O_TRUNC, left);
	if (waitpid(pid, &status, 0) < 0)
		fatal("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
