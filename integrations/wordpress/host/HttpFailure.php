<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** No answer came. */
final class HttpFailure extends \RuntimeException
{
    public function __construct(string $reason, public readonly bool $timedOut = false)
    {
        parent::__construct($reason);
    }
}
