<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/clip-session') {
    require __DIR__ . '/clip-session.php';
} elseif ($path === '/log-in') {
    session_start();
    $_SESSION['user'] = 'ann';
    header('Location: /clip');
} elseif ($path === '/clip') {
    readfile(__DIR__ . '/public/clip.html');
} else {
    return false; // PHP's own server sends the files of public/.
}
