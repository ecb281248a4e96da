<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** Settings, Clips. The secret of the host is never sent to the browser. */
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
            isset($_POST['test']) => Session::test(),
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
                    self::urlRow('host_url', __('Address of the host', 'clip-kit'), 'https://clips.example/host',
                        __('The host has the key of the clip service, and this site tells it who is logged in. The address usually ends with /host.', 'clip-kit'));
                    self::secretRow();
                    $same = __('If empty, it is the same server as that of the host.', 'clip-kit');
                    $origin = Settings::hostOrigin() ?: 'https://clips.example';
                    self::urlRow('player_url', __('Address of the players', 'clip-kit'), $origin, $same);
                    self::urlRow('poster_url', __('Address of the pictures', 'clip-kit'), "$origin/player/{project}/poster.jpg",
                        __('With {project} for the id of a clip. If empty, the host has them, unless the players are elsewhere.', 'clip-kit'));
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
            </form>
        </div>
        <?php
    }

    /** @return ?array{0: string, 1: string} why nothing was stored */
    private static function store(): ?array
    {
        // phpcs:disable WordPress.Security.NonceVerification -- `save` has verified it.
        $posted = fn (string $name): string => is_string($_POST[$name] ?? null) ? trim(wp_unslash($_POST[$name])) : '';
        $values = [];
        foreach (['host_url', 'player_url', 'poster_url', 'app_url'] as $name) {
            $url = rtrim($posted($name), '/');
            if ($url !== '' && !preg_match('#^https?://[^\s/?\#,"\'<>]+(/[^\s?\#,"\'<>]*)?$#iD', $url)) {
                // translators: %s: what was entered
                return ['error', sprintf(__('This is not an address: %s. Nothing was saved.', 'clip-kit'), $url)];
            }
            $values[$name] = $url;
        }
        $capability = $posted('export_capability');
        $values['export_capability'] = in_array($capability, Settings::CAPABILITIES, true) ? $capability : Settings::exportCapability();
        $secret = $posted('host_secret');
        if (preg_match('/[^\x21-\x7e]/', $secret)) {
            return ['error', __('A secret has no spaces and no special letters. Nothing was saved.', 'clip-kit')];
        }
        if ($secret !== '' && strlen($secret) < 32) {
            return ['error', __('The secret of a host has at least 32 characters. Nothing was saved.', 'clip-kit')];
        }
        // It is for one address. To change the address, one must know it.
        $known = Settings::hostOrigin();
        $moved = $known !== '' && $known !== Settings::originOf($values['host_url']);
        if (isset($_POST['remove_host_secret'])) Settings::saveSecret('');
        elseif ($secret !== '' || $moved) Settings::saveSecret($secret);
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

    private static function secretRow(): void
    {
        $stored = Settings::secret() !== '';
        ?>
        <tr>
            <th scope="row"><label for="host_secret"><?php esc_html_e('Secret of the host', 'clip-kit'); ?></label></th>
            <td>
                <?php if (defined(Settings::SECRET_CONSTANT)) : ?>
                    <p id="host_secret"><?php esc_html_e('It is set in wp-config.php.', 'clip-kit'); ?></p>
                <?php else : ?>
                    <input type="password" class="regular-text code" id="host_secret" name="host_secret" value="" autocomplete="new-password"
                        placeholder="<?php echo $stored ? esc_attr('••••••••••••') : ''; ?>">
                    <p class="description">
                        <?php
                        echo esc_html($stored ? __('It is stored. Leave this empty to keep it. For another address, enter it again.', 'clip-kit')
                            // translators: %s: the name of a constant
                            : sprintf(__('Better than here: define %s in wp-config.php.', 'clip-kit'), Settings::SECRET_CONSTANT));
                        ?>
                    </p>
                    <?php if ($stored) : ?>
                        <p><label><input type="checkbox" name="remove_host_secret" value="1"> <?php esc_html_e('Remove it', 'clip-kit'); ?></label></p>
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
