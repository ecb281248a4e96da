<?php
declare(strict_types=1);
namespace ClipKit\Host;

/**
 * What the host remembers. Each method is one atomic step for all processes, and ids are compared
 * exactly: see docs/host-stores.md of clip-kit.
 */
interface Store
{
    public function managedUser(string $hostUser): ?string;

    /** Stores it unless there is one, ends the claim, and returns the one that is stored. */
    public function keepManagedUser(string $hostUser, string $managedUser): string;

    /**
     * False if a managed user is stored, or another claim is less than `$leaseMs` before or after
     * `$sinceMs`; otherwise stores the claim and returns true.
     */
    public function claimMaking(string $hostUser, int $sinceMs, int $leaseMs): bool;

    public function releaseMaking(string $hostUser, int $sinceMs): void;

    /** Drops it if it is still this one. */
    public function dropManagedUser(string $hostUser, string $managedUser): void;

    /** Writes it unless user and key are known. Returns the known one, or null. */
    public function claimAttempt(Attempt $attempt): ?Attempt;

    /** Replaces it if state and time are those of `$from`. Returns whether it did. */
    public function moveAttempt(Attempt $from, Attempt $to): bool;

    public function dropAttempt(string $hostUser, string $key): void;

    public function attempt(string $hostUser, string $key): ?Attempt;

    /**
     * Those of the ids that are the export of any attempt.
     *
     * @param list<string> $exportIds
     * @return list<string>
     */
    public function attributed(array $exportIds): array;

    /** How many attempts of the user began since then. */
    public function attemptsSince(string $hostUser, int $sinceMs): int;
}
