export { default } from '../../src/Clip.tsx';
