<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** A call to the service that costs money: the start of an export, or of a task. */
interface PaidCall
{
    /** The request as one canonical text. It is stored with the attempt. */
    public function request(): string;

    /** Whether a stored request is this one. */
    public function isSame(string $stored): bool;

    /** @return array<string, mixed> what was started, at least its `id` */
    public function send(string $managedUser, string $key): array;

    /**
     * The answer for the page; never fails.
     *
     * @param array<string, mixed> $started
     * @return array<string, mixed>
     */
    public function complete(string $managedUser, array $started, Attempt $attempt): array;

    /** @return array<string, mixed> */
    public function read(string $managedUser, string $id): array;

    /**
     * @param ?string $key what to ask a service that keeps keys; null if it may have forgotten it
     * @return array{0: ?array<string, mixed>, 1: bool, 2: bool} what was found, whether the service
     *     keeps keys, and whether it has shown everything that the attempt can have started
     */
    public function search(string $managedUser, Attempt $attempt, ?string $key): array;
}
