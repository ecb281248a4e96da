<?php
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
define('DB_NAME', 'wordpress');
define('DB_USER', 'wordpress');
define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost:' . dirname(__DIR__) . '/db.sock');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', getenv('SITE_ORIGIN'));
define('WP_SITEURL', getenv('SITE_ORIGIN'));
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define("{$name}_KEY", "key-$name-only-for-tests");
    define("{$name}_SALT", "salt-$name-only-for-tests");
}
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', dirname(__DIR__) . '/debug.log');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1');
define('FS_METHOD', 'direct');
// As on a network: also editors and administrators may write only the HTML that the filter allows.
define('DISALLOW_UNFILTERED_HTML', true);
$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
