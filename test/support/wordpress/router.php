<?php
// For PHP's own server: files as they are, everything else by WordPress.
$path = $_SERVER['DOCUMENT_ROOT'] . rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/');
if (is_file($path) || is_file(rtrim($path, '/') . '/index.php') && $path !== $_SERVER['DOCUMENT_ROOT'] . '/') return false;
// It has `..` resolved, which no other server does.
unset($_SERVER['PATH_INFO']);
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
require $_SERVER['SCRIPT_FILENAME'];
