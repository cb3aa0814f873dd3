/* witness/identity.h - which boot of which machine a record is about */
#pragma once
#include "record/fault.h"
#include "record/record.h"

/**
 * identity_enter() - id (the boot id), machine and tool version of the running boot into @r
 *
 * The machine is systemd's machine id hashed for bootlap (sd-id128's app-specific form): the raw id
 * never enters a record. Without a machine id (a bare container or chroot) it is a hash of the
 * host's name and root file system instead, and a warning says so. Without /proc the boot id is
 * unknown: the record gets a random one, so that measuring twice makes two records, with a warning.
 *
 * Return: 0; -ENOMEM; another negative errno when not even randomness can be had.
 */
int identity_enter(struct record *r, struct fault *fault);
