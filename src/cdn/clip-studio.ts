/** The ready-made single file with every element. */
import './clip-kit.ts';
import '../define/clip-create.ts';
import '../define/clip-export-many.ts';
import '../define/clip-feed.ts';
import '../define/clip-list.ts';
import '../define/clip-videos.ts';

export * from '../elements/index.ts';
