'use client';

import 'clip-kit/define/clip-export-button.js';

export const ExportButton = ({ project }) => (
  <clip-export-button project={project} endpoint="/clips"></clip-export-button>
);
