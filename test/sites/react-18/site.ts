import react from '../react-19/site.ts';
import type { Site } from '../site.ts';

export default {
  ...react,
  title: 'React 18',
  app: 'react-19',
  versions: {
    react: '18.3.1',
    'react-dom': '18.3.1',
    '@types/react': '18.3.8',
    '@types/react-dom': '18.3.7',
  },
} satisfies Site;
