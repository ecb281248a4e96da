<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** The start of a task. The specification lists no tasks, so a lost one cannot be searched. */
final class TaskCall implements PaidCall
{
    private readonly string $request;

    /**
     * @param array<string, mixed> $body
     * @param ?\Closure(array<string, mixed>): void $started called with a new task; never fails
     */
    public function __construct(
        private readonly Service $service,
        private readonly string $type,
        private readonly array $body,
        private readonly ?\Closure $started = null,
    ) {
        $this->request = json_encode(['body' => self::sorted((object) $body), 'type' => $type], JSON_THROW_ON_ERROR);
    }

    /** The call of a stored attempt, which can only be read and searched for. */
    public static function stored(Service $service, string $request): self
    {
        $known = json_decode($request);
        return $known instanceof \stdClass
            ? new self($service, $known->type, get_object_vars($known->body))
            : throw new Problem('attempt-mismatch');
    }

    public function request(): string
    {
        return $this->request;
    }

    public function isSame(string $stored): bool
    {
        return $stored === $this->request;
    }

    public function send(string $managedUser, string $key): array
    {
        $task = $this->service->createTask($managedUser, $this->type, $this->body, $key);
        if ($this->started) ($this->started)($task);
        return $task;
    }

    public function complete(string $managedUser, array $started, Attempt $attempt): array
    {
        return $started;
    }

    public function read(string $managedUser, string $id): array
    {
        return $this->service->task($managedUser, $id);
    }

    /** Finds nothing: a service that keeps keys gives the task when the start is sent again. */
    public function search(string $managedUser, Attempt $attempt, ?string $key): array
    {
        if ($key === null) return [null, false, false];
        [, $keepsKeys] = $this->service->findExports($managedUser, null, $key);
        return [null, $keepsKeys, $keepsKeys];
    }

    /** The fields of objects in order. */
    private static function sorted(mixed $value): mixed
    {
        if (!$value instanceof \stdClass) return $value;
        $fields = get_object_vars($value);
        ksort($fields, SORT_STRING);
        return (object) array_map([self::class, 'sorted'], $fields);
    }
}
