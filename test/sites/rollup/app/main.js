import 'clip-kit';
import 'clip-kit/clip-create';
import 'clip-kit/upgrade';

export { ClipList, ClipPreview } from 'clip-kit/react';
