import type {} from 'clip-kit/types/svelte';
