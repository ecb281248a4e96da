import 'clip-kit';
import 'clip-kit/upgrade';

export { ClipList, ClipPreview } from 'clip-kit/react';
