import type { Plugin } from 'vite';

/**
 * Has the page bring its styles along. As a file of their own they would come one round of the network later, and on a slow
 * phone their request alone takes as long as reading them.
 */
export const stylesInside: Plugin = {
  name: 'styles-inside',
  apply: 'build',
  // What is taken out of files below is not in the hash in their names: a browser may have them as they were without this.
  augmentChunkHash: () => 'styles-inside',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const page = html.replaceAll(
        /<link rel="stylesheet" [^>]*?href="\/([^"]+)">/g,
        (_, file: string) => {
          const styles = bundle[file];
          if (styles?.type !== 'asset') throw new Error(`nothing came of ${file}`);
          delete bundle[file];
          // What imports such a file asks for its styles first.
          for (const part of Object.values(bundle))
            if (part.type === 'chunk') part.viteMetadata?.importedCss.delete(file);
          return `<style>${String(styles.source).trim()}</style>`;
        },
      );
      if (page === html) throw new Error('the page does not say where its styles are');
      return page;
    },
  },
};
