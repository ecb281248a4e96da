<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/**
 * The attributes about one clip or video, of each element. None says where requests and tokens go,
 * or what a frame may do. A test compares them with the manifest of the elements.
 */
final class ElementAttributes
{
    public const OF = [
        'clip-preview' => ['project', 'loading', 'poster', 'no-exclusive', 'no-controls', 'autoplay', 'loop', 'width', 'height', 'playsinline',
            'muted', 'label', 'timeout'],
        'clip-embed' => ['project', 'loading', 'edit', 'header', 'renew', 'no-exclusive', 'no-controls', 'autoplay', 'loop', 'width', 'height',
            'playsinline', 'muted', 'label', 'timeout'],
        'clip-export-button' => ['project', 'folder', 'watermark-src', 'watermark-x', 'watermark-y', 'watermark-scale',
            'watermark', 'preset-id', 'export-id', 'auto-download', 'download-name', 'revision',
            'label'],
        'clip-create' => ['for', 'label', 'options', 'kind', 'count', 'length', 'language', 'translate-to', 'shape', 'no-captions',
            'no-emojis', 'no-title', 'remove-silences', 'remove-fillers', 'topics', 'preset-id', 'presets', 'max-bytes', 'max-seconds'],
        'clip-videos' => ['for', 'selected', 'label', 'page-size'],
        'clip-export-many' => ['for'],
        'clip-list' => ['project', 'folder', 'task', 'label', 'sort', 'page-size', 'heading-level'],
        'clip-feed' => ['folder', 'projects', 'start', 'layout', 'history', 'label', 'no-exclusive'],
    ];
}
