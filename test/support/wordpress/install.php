<?php
// Installs WordPress with its users, and the plugin from its zip: php install.php SITE
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('SITE_ORIGIN'), PHP_URL_HOST) . ':' . parse_url(getenv('SITE_ORIGIN'), PHP_URL_PORT);
$_SERVER['REQUEST_METHOD'] = 'GET';
require "{$argv[1]}/www/wp-load.php";
require ABSPATH . 'wp-admin/includes/admin.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

$password = getenv('SITE_PASSWORD');
add_filter('pre_wp_mail', '__return_true');
wp_install('Clips', 'admin', 'admin@example.com', true, '', $password);
// They come from another server.
update_option('show_avatars', 0);
update_option('permalink_structure', '/%postname%/');
foreach (['eva' => 'editor', 'ann' => 'author', 'mia' => 'subscriber', 'ben' => 'subscriber'] as $name => $role) {
    $user = wp_insert_user(['user_login' => $name, 'user_pass' => $password, 'user_email' => "$name@example.com", 'role' => $role]);
    // The welcome guide of the editor covers the page.
    update_user_meta($user, $GLOBALS['wpdb']->get_blog_prefix() . 'persisted_preferences', [
        'core/edit-post' => ['welcomeGuide' => false],
        '_modified' => gmdate('c'),
    ]);
}
WP_Filesystem();
$unzipped = unzip_file(getenv('PLUGIN_ZIP'), WP_PLUGIN_DIR);
if (is_wp_error($unzipped)) exit($unzipped->get_error_message() . "\n");
if (getenv('SITE_SETUP')) require realpath(getenv('SITE_SETUP'));
