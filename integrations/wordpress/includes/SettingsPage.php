<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

use ClipKit\Host\Problem;

/** Settings, Clips. The key and the secret are never sent to the browser. */
final class SettingsPage
{
    private const SLUG = 'clip-kit';
    private const ACTION = 'clip_kit_save';

    public static function register(): void
    {
        add_action('admin_menu', fn () => add_options_page(
            __('Clips', 'clip-kit'), __('Clips', 'clip-kit'), 'manage_options', self::SLUG, [self::class, 'print'],
        ));
        add_action('admin_post_' . self::ACTION, [self::class, 'save']);
        add_filter('plugin_action_links_' . plugin_basename(PLUGIN_FILE), fn (array $links): array => [
            sprintf('<a href="%s">%s</a>', esc_url(self::url()), esc_html__('Settings', 'clip-kit')),
            ...$links,
        ]);
    }

    public static function save(): void
    {
        if (!current_user_can('manage_options')) wp_die(esc_html__('You are not allowed to do this.', 'clip-kit'), 403);
        check_admin_referer(self::ACTION);
        $refused = self::store();
        $notice = $refused ?? match (true) {
            isset($_POST['test']) => self::test(),
            isset($_POST['test_host']) => Session::test(),
            default => ['success', __('Settings saved.', 'clip-kit')],
        };
        set_transient(self::noticeName(), $notice, 60);
        wp_safe_redirect(self::url());
        exit;
    }

    public static function print(): void
    {
        if (!current_user_can('manage_options')) return;
        $notice = get_transient(self::noticeName());
        delete_transient(self::noticeName());
        ?>
        <div class="wrap">
            <h1><?php esc_html_e('Clips', 'clip-kit'); ?></h1>
            <?php if (is_array($notice)) : ?>
                <div id="clip-kit-notice" class="notice notice-<?php echo esc_attr($notice[0]); ?>"><p><?php echo esc_html($notice[1]); ?></p></div>
            <?php endif; ?>
            <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
                <input type="hidden" name="action" value="<?php echo esc_attr(self::ACTION); ?>">
                <?php wp_nonce_field(self::ACTION); ?>
                <table class="form-table" role="presentation">
                    <?php
                    self::urlRow('service_url', __('Service address', 'clip-kit'), 'https://clips.example/v2', __('The address of the API. It usually ends with /v2.', 'clip-kit'));
                    self::secretRow('api_key', __('Key', 'clip-kit'));
                    $same = __('If empty, it is the same as that of the service.', 'clip-kit');
                    $origin = Settings::serviceOrigin() ?: 'https://clips.example';
                    self::urlRow('player_url', __('Address of the players', 'clip-kit'), $origin, $same);
                    self::urlRow('poster_url', __('Address of the pictures', 'clip-kit'), "$origin/player/{project}/poster.jpg",
                        __('With {project} for the id of a clip. If empty, the service has them, unless the players are elsewhere.', 'clip-kit'));
                    self::urlRow('app_url', __('Address of the clip editor', 'clip-kit'), $origin, $same);
                    self::capabilityRow();
                    ?>
                </table>
                <p class="submit">
                    <?php
                    submit_button('', 'primary', 'submit', false);
                    echo ' ';
                    submit_button(__('Save and test', 'clip-kit'), 'secondary', 'test', false);
                    ?>
                </p>
                <h2><?php esc_html_e('Use a clip host', 'clip-kit'); ?></h2>
                <p><?php esc_html_e('Instead of the key: another server has it, and this site only tells it who is logged in. Leave both empty to use the key above.', 'clip-kit'); ?></p>
                <table class="form-table" role="presentation">
                    <?php
                    self::urlRow('host_url', __('Use a clip host at', 'clip-kit'), 'https://clips.example/host', __('The address of the host. It usually ends with /host.', 'clip-kit'));
                    self::secretRow('host_secret', __('Secret of the host', 'clip-kit'));
                    ?>
                </table>
                <p class="submit"><?php submit_button(__('Save and test the host', 'clip-kit'), 'secondary', 'test_host', false); ?></p>
            </form>
        </div>
        <?php
    }

    /**
     * Whether the service can be used with what is stored: a kind of notice, and a sentence.
     *
     * @return array{0: string, 1: string}
     */
    public static function test(): array
    {
        if (Settings::usesHost()) return ['warning', __('A clip host is used, and not this key.', 'clip-kit')];
        if (!Settings::isComplete()) return ['error', __('Enter the address of the service and a key.', 'clip-kit')];
        try {
            Host::service()->check();
        } catch (Problem $problem) {
            return ['error', match (true) {
                $problem->serviceStatus === 401, $problem->serviceStatus === 403 => __('The service does not accept this key. Copy it again, or create another one there.', 'clip-kit'),
                $problem->serviceStatus === 404 => __('There is a server at this address, but no clip service. The address usually ends with /v2.', 'clip-kit'),
                // translators: %s: a technical reason, such as "Connection refused"
                $problem->serviceStatus === null && $problem->status >= 503 => sprintf(__('The service cannot be reached from this server: %s', 'clip-kit'), $problem->reason),
                $problem->serviceStatus === null => __('What answers at this address is not a clip service.', 'clip-kit'),
                // translators: %d: an HTTP status
                default => sprintf(__('The service has a problem: it answered with the status %d.', 'clip-kit'), $problem->serviceStatus),
            }];
        }
        if (Rest::basePath() === null) {
            return ['warning', __('The service accepts the key. But exports cannot work with plain permalinks: choose another structure in Settings, Permalinks.', 'clip-kit')];
        }
        return ['success', __('It works: the service accepts the key.', 'clip-kit')];
    }

    /** @return ?array{0: string, 1: string} why nothing was stored */
    private static function store(): ?array
    {
        // phpcs:disable WordPress.Security.NonceVerification -- `save` has verified it.
        $posted = fn (string $name): string => is_string($_POST[$name] ?? null) ? trim(wp_unslash($_POST[$name])) : '';
        $values = [];
        foreach (['service_url', 'host_url', 'player_url', 'poster_url', 'app_url'] as $name) {
            $url = rtrim($posted($name), '/');
            if ($url !== '' && !preg_match('#^https?://[^\s/?\#,"\'<>]+(/[^\s?\#,"\'<>]*)?$#iD', $url)) {
                // translators: %s: what was entered
                return ['error', sprintf(__('This is not an address: %s. Nothing was saved.', 'clip-kit'), $url)];
            }
            $values[$name] = $url;
        }
        $capability = $posted('export_capability');
        $values['export_capability'] = in_array($capability, Settings::CAPABILITIES, true) ? $capability : Settings::exportCapability();
        $secrets = array_map($posted, array_combine(array_keys(Settings::SECRETS), array_keys(Settings::SECRETS)));
        if (preg_match('/[^\x21-\x7e]/', implode($secrets)) || strlen($secrets['api_key']) > 500) {
            return ['error', __('A key or secret has no spaces and no special letters. Nothing was saved.', 'clip-kit')];
        }
        if ($secrets['host_secret'] !== '' && strlen($secrets['host_secret']) < 32) {
            return ['error', __('The secret of a host has at least 32 characters. Nothing was saved.', 'clip-kit')];
        }
        foreach ($secrets as $name => $secret) {
            // Each is for one address. To change the address, one must know it.
            $known = Host::originOf(Settings::text(Settings::SECRETS[$name]));
            $moved = $known !== '' && $known !== Host::originOf($values[Settings::SECRETS[$name]]);
            if (isset($_POST["remove_$name"])) Settings::saveSecret($name, '');
            elseif ($secret !== '' || $moved) Settings::saveSecret($name, $secret);
        }
        // phpcs:enable
        Settings::save($values);
        return null;
    }

    private static function urlRow(string $name, string $label, string $example, string $help): void
    {
        ?>
        <tr>
            <th scope="row"><label for="<?php echo esc_attr($name); ?>"><?php echo esc_html($label); ?></label></th>
            <td>
                <input type="url" class="regular-text code" id="<?php echo esc_attr($name); ?>" name="<?php echo esc_attr($name); ?>"
                    value="<?php echo esc_attr(Settings::text($name)); ?>" placeholder="<?php echo esc_attr($example); ?>">
                <p class="description"><?php echo esc_html($help); ?></p>
            </td>
        </tr>
        <?php
    }

    private static function secretRow(string $name, string $label): void
    {
        $stored = Settings::secret($name) !== '';
        ?>
        <tr>
            <th scope="row"><label for="<?php echo esc_attr($name); ?>"><?php echo esc_html($label); ?></label></th>
            <td>
                <?php if (Settings::isConstant($name)) : ?>
                    <p id="<?php echo esc_attr($name); ?>"><?php esc_html_e('It is set in wp-config.php.', 'clip-kit'); ?></p>
                <?php else : ?>
                    <input type="password" class="regular-text code" id="<?php echo esc_attr($name); ?>" name="<?php echo esc_attr($name); ?>" value="" autocomplete="new-password"
                        placeholder="<?php echo $stored ? esc_attr('••••••••••••') : ''; ?>">
                    <p class="description">
                        <?php
                        echo esc_html($stored ? __('It is stored. Leave this empty to keep it. For another address, enter it again.', 'clip-kit')
                            // translators: %s: the name of a constant
                            : sprintf(__('Better than here: define %s in wp-config.php.', 'clip-kit'), Settings::constantOf($name)));
                        ?>
                    </p>
                    <?php if ($stored) : ?>
                        <p><label><input type="checkbox" name="remove_<?php echo esc_attr($name); ?>" value="1"> <?php esc_html_e('Remove it', 'clip-kit'); ?></label></p>
                    <?php endif; ?>
                <?php endif; ?>
            </td>
        </tr>
        <?php
    }

    private static function capabilityRow(): void
    {
        $names = [
            'read' => __('Everyone who is logged in', 'clip-kit'),
            'edit_posts' => __('Contributors, authors, editors and administrators', 'clip-kit'),
            'publish_posts' => __('Authors, editors and administrators', 'clip-kit'),
            'edit_others_posts' => __('Editors and administrators', 'clip-kit'),
            'manage_options' => __('Administrators', 'clip-kit'),
        ];
        ?>
        <tr>
            <th scope="row"><label for="export_capability"><?php esc_html_e('Who may export and make clips', 'clip-kit'); ?></label></th>
            <td>
                <select id="export_capability" name="export_capability">
                    <?php foreach ($names as $capability => $name) : ?>
                        <option value="<?php echo esc_attr($capability); ?>" <?php selected(Settings::exportCapability(), $capability); ?>><?php echo esc_html($name); ?></option>
                    <?php endforeach; ?>
                </select>
                <p class="description"><?php esc_html_e('Each export and each video costs money.', 'clip-kit'); ?></p>
            </td>
        </tr>
        <?php
    }

    private static function url(): string
    {
        return admin_url('options-general.php?page=' . self::SLUG);
    }

    /** The name of the transient with the result, for this user. */
    private static function noticeName(): string
    {
        return 'clip_kit_notice_' . get_current_user_id();
    }
}
