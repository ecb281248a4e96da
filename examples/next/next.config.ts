import type { NextConfig } from 'next';

// As `create-next-app` sets it.
export default { cacheComponents: true, partialPrefetching: true } satisfies NextConfig;
