<?php
// Runs the tests of this folder: php run.php. Prints one line for each, and ends with 1 if any failed.
declare(strict_types=1);

foreach (['../../../integrations/wordpress/host/autoload', 'FakeHttp', 'PdoStore'] as $part) require __DIR__ . "/$part.php";

set_error_handler(function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

function same(mixed $found, mixed $wanted): void
{
    if ($found !== $wanted) throw new Exception(var_export($found, true) . "\nshould have been " . var_export($wanted, true));
}

$failed = 0;
foreach (glob(__DIR__ . '/*Test.php') as $file) {
    foreach (require $file as $name => $test) {
        try {
            $test();
            echo "ok $name\n";
        } catch (Throwable $failure) {
            $failed++;
            echo "not ok $name: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()})\n";
        }
    }
}
exit($failed ? 1 : 0);
