<?php
// The site's content, and what its theme would have: a script for the page of the clip.
activate_plugin('clip-kit/clip-kit.php');
update_option('clip_kit_settings', [
    'host_url' => 'https://clips.example/host',
    'export_capability' => 'read',
]);
update_option('clip_kit_host_secret', getenv('CLIP_HOST_SECRET'), false);

kses_remove_filters();
$page = fn (string $title, string $content): int => wp_insert_post(
    ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_content' => $content],
);
$home = $page('Home', '<!-- wp:clip-kit/preview {"id":"clip-1"} /-->
<!-- wp:paragraph --><p><a href="/clip/">The clip</a></p><!-- /wp:paragraph -->');
$page('Clip', '<!-- wp:paragraph --><p><a href="/">Home</a></p><!-- /wp:paragraph -->
<!-- wp:clip-kit/embed {"id":"clip-1"} /-->
<!-- wp:shortcode -->[clip_export id="clip-1"]Export[/clip_export]<!-- /wp:shortcode -->
<!-- wp:html --><output></output><!-- /wp:html -->
<!-- wp:clip-kit/studio /-->');
update_option('show_on_front', 'page');
update_option('page_on_front', $home);

wp_mkdir_p(WPMU_PLUGIN_DIR);
file_put_contents(WPMU_PLUGIN_DIR . '/clip-page.php', <<<'PHP'
<?php
add_action('wp_footer', function () {
    if (!is_page('clip')) return;
    ?>
    <script type="module">
      const button = document.querySelector('clip-export-button');
      button.watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };
      button.addEventListener('clip-export-ready', () => {
        document.querySelector('output').textContent = 'Your clip is ready.';
      });
    </script>
    <?php
}, 99);
PHP);
