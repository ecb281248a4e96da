/** A style sheet beside its element, which the build turns into Lit's `css`. */
declare module '*.css' {
  import type { CSSResult } from 'lit';

  const styles: CSSResult;
  export default styles;
}
