<?php
// Removes everything that the plugin has stored, on every site of a network.
declare(strict_types=1);

namespace ClipKit\WordPress;

defined('WP_UNINSTALL_PLUGIN') || exit;

require_once __DIR__ . '/includes/Settings.php';

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $clip_kit_site) {
        switch_to_blog($clip_kit_site);
        Settings::remove();
        restore_current_blog();
    }
} else {
    Settings::remove();
}
