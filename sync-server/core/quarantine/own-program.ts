/**
 * Returns a program of this folder that runs in a thread or a process of its own, from source or from the build, with the flags of Node.
 * @param name of the module
 */
export function ownProgram(name: 'document-watchdog' | 'document-trial'): {
  url: URL;
  execArgv: string[];
} {
  const here = import.meta.url;
  const isSource = here.endsWith('.ts');
  return {
    url: new URL(`./${name}.${isSource ? 'ts' : 'js'}`, here),
    execArgv: isSource ? ['--import', 'tsx'] : [],
  };
}
