import type { z } from 'zod';
import { serverVariables } from '#shared/server/server-env.ts';
import { apiVariables } from '../../api/platform/env.ts';
import { gatewayVariables } from '../../gateway/variables.ts';
import { syncServerVariables } from '../../sync-server/env.ts';
import { SERVER_ENV } from '../build/server-build.ts';
import { mongodbInitVariables } from '../docker/mongodb-init-variables.ts';
import { stackVariables } from '../stack/variables.ts';

/** Each variable is listed in the first group that has a description of it. */
const GROUPS: [title: string, variables: Record<string, z.ZodType>][] = [
  ['`npm start`', stackVariables],
  ['Every server', serverVariables],
  ['Gateway', gatewayVariables],
  ['API', apiVariables],
  ['Sync server', syncServerVariables],
  ['`mongodb-init`', mongodbInitVariables],
];

const INTRODUCTION = `# Configuration

Every setting is an environment variable. \`npm run configuration\` writes this page from the schemas in the code; a test compares it. Defaults
work on one machine. \`.env.example\` has what docker-compose.yml adds, such as \`DOMAIN\` and \`TLS\`.

**Sandbox providers** simulate sign-in, the wallet, email, text messages and weather, each until its real provider is configured, and the
screens say so. They run only where \`PUBLIC_ORIGIN\` is a loopback origin (\`localhost\`, \`*.localhost\`, \`127.0.0.0/8\`, \`[::1]\`), or with
\`ALLOW_SANDBOX=true\`, because anyone can sign in as anyone there. On any other origin the API doesn't start without the sign-in settings;
without the other providers there are no donations, emails, text messages or weather. They don't start with a \`HOST\` that other machines can
reach, unless \`ALLOW_SANDBOX\` is set (decision 240).

A request whose \`Host\` isn't that of \`PUBLIC_ORIGIN\` gets 421, so a reverse proxy has to preserve \`Host\`. At a loopback origin each name of
this machine is accepted, and a request through a proxy gets 421. Only \`/api/health\` accepts any host.`;

/** What no schema has: read while something is built, by commands, or by the C library. */
const OTHERS = `## Others

- \`SIGN_IN_NAME\` (\`Google\`): Name of the sign-in provider on the screens; it is built into the client
- \`BACKUP_KEY_FILE\`, \`BACKUP_KEY\`: File with the key of backups, or the key: \`openssl rand -hex 32\`
- \`MALLOC_ARENA_MAX\` (\`${SERVER_ENV.MALLOC_ARENA_MAX}\`): Pools of memory that the threads of a server share (decision 355)`;

/** Returns docs/configuration.md. @throws when a variable has no description */
export function configurationPage(): string {
  const listed = new Set<string>();
  const groups = GROUPS.map(([title, variables]) => {
    const own = Object.entries(variables).filter(([name]) => !listed.has(name));
    const lines = own
      .filter(([, variable]) => variable.description !== undefined)
      .map(([name, variable]) => lineOf(name, variable));
    for (const [name, variable] of own) if (variable.description !== undefined) listed.add(name);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  const bare = GROUPS.flatMap(([, variables]) => Object.keys(variables)).filter(
    (name) => !listed.has(name),
  );
  if (bare.length > 0) throw new Error(`Describe ${bare.join(', ')}`);
  return `${[INTRODUCTION, ...groups, OTHERS].join('\n\n')}\n`;
}

function lineOf(name: string, variable: z.ZodType): string {
  const usual = defaultOf(variable);
  return `- \`${name}\`${usual === undefined ? '' : ` (${usual})`}: ${variable.description}`;
}

/** `meta` says in words what depends on other variables. */
function defaultOf(variable: z.ZodType): string | undefined {
  const { usually } = variable.meta() ?? {};
  if (typeof usually === 'string') return usually;
  const unset = variable.safeParse(undefined);
  if (!unset.success) return 'required';
  const { data } = unset;
  if (Array.isArray(data)) return `\`${data.join(',')}\``;
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean')
    return `\`${data}\``;
  return undefined;
}
