<?php
declare(strict_types=1);
namespace ClipKit\Host;

final class Clock
{
    /** Milliseconds since 1970. */
    public static function nowMs(): int
    {
        return (int) (microtime(true) * 1000);
    }
}
