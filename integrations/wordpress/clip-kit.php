<?php
/**
 * Plugin Name:       Clip Kit
 * Description:       Short video clips in posts and pages: watch them, edit them, export them, make them. With blocks, shortcodes and links.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       clip-kit
 */
declare(strict_types=1);

namespace ClipKit\WordPress;

defined('ABSPATH') || exit;

const PLUGIN_FILE = __FILE__;

foreach (['Settings', 'Session', 'ElementAttributes', 'Markup', 'Blocks', 'Assets', 'Content', 'SettingsPage'] as $part) {
    require_once __DIR__ . "/includes/$part.php";
}

Session::register();
Assets::register();
Blocks::register();
Content::register();
SettingsPage::register();
