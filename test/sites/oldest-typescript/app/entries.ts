import 'clip-kit';
import 'clip-kit/cdn/clip-kit.js';
import 'clip-kit/cdn/clip-studio.js';
import 'clip-kit/clip-create';
import 'clip-kit/clip-list';
import 'clip-kit/clip-videos';
import 'clip-kit/define/clip-preview.js';
import 'clip-kit/placeholder.css';
import 'clip-kit/upgrade';
import type {} from 'clip-kit/types/react';

export * as client from 'clip-kit/client';
export * as contract from 'clip-kit/contract';
export * as elements from 'clip-kit/elements';
export * as host from 'clip-host';
export * as hostOnD1 from 'clip-host/d1';
export * as hostInNext from 'clip-host/next';
export * as hostInNode from 'clip-host/node';
export * as react from 'clip-kit/react';
