<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** A start that somebody pays for, under the key that the page gave it. */
final class Attempt
{
    /**
     * @param string $request what the page asked for, as canonical JSON, and at its end whether a
     *     watermark was sent
     * @param int $startedAt when the start was last sent, in milliseconds since 1970
     * @param 'open'|'unknown'|'settled' $state
     */
    public function __construct(
        public readonly string $hostUser,
        public readonly string $key,
        public readonly string $request,
        public readonly int $startedAt,
        public readonly string $state = 'open',
        public readonly ?string $exportId = null,
    ) {
    }

    public function with(string $state, ?string $exportId = null): self
    {
        return new self($this->hostUser, $this->key, $this->request, $this->startedAt, $state, $exportId);
    }
}
