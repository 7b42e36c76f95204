import { Link } from './link.ts';

/** Enough for two API nodes, two sync nodes and a gateway. */
const LINKS = 32;
/** `freePort` returns ports with five digits, so that they can be replaced in place. */
const PORTS = /\b\d{5}\b/g;

type Target = 'mongodb' | 'nats' | 'api' | 'sync-server';
type Env = NodeJS.ProcessEnv;

/** From one process to a port of another one. */
interface UsedLink {
  from: string;
  to: number;
  target: Target;
  link: Link;
}

/** Settings with the addresses of other processes, by what they are. */
const ADDRESSES = {
  API_PORT: 'api',
  SYNC_PORT: 'sync-server',
  SYNC_INTERNAL_URL: 'sync-server',
  MONGODB_URI: 'mongodb',
  NATS_URL: 'nats',
} as const satisfies Record<string, Target>;

/**
 * The network between the processes of a stack. A link that is cut holds back what either side sends, like a network without packets:
 * nothing is refused, and nothing is closed. When it is restored, everything arrives.
 */
export class Links {
  readonly #free: Link[];
  readonly #used: UsedLink[] = [];
  /** The ports on which each process listens. */
  readonly #portsOf = new Map<string, number[]>();

  constructor(free: Link[]) {
    this.#free = free;
  }

  static async open(): Promise<Links> {
    return new Links(await Promise.all(Array.from({ length: LINKS }, () => new Link().listen())));
  }

  /** Returns the environment in which a process reaches the others through links. */
  readonly envOf = (name: string, env: Env): Env => {
    const changed = { ...env };
    const listensOn = name.startsWith('api')
      ? ['API_PORT']
      : name.startsWith('sync-server')
        ? ['SYNC_PORT', 'SYNC_INTERNAL_PORT']
        : [];
    const ports = listensOn.map((variable) => Number(env[variable]));
    this.#portsOf.set(name, ports);
    for (const [variable, target] of Object.entries(ADDRESSES))
      if (!listensOn.includes(variable))
        changed[variable] = env[variable]?.replace(PORTS, (port) =>
          String(this.#linkTo(Number(port), name, target).port),
        );
    // A client asks a member of a replica set for the addresses of the others.
    const members = this.#used.filter(({ from, target }) => from === name && target === 'mongodb');
    const addresses = members.map(({ to, link }): [string, string] => [
      `127.0.0.1:${to}`,
      `127.0.0.1:${link.port}`,
    ]);
    for (const { to, link } of members) link.leadTo(to, addresses);
    return changed;
  };

  /** Cuts a process off from all others, or from one kind of them. Returns a function that restores the links. */
  cut(name: string, target?: Target): () => void {
    const served = this.#portsOf.get(name) ?? [];
    return this.#cut(({ from, to, target: role }) =>
      target ? from === name && role === target : from === name || served.includes(to),
    );
  }

  /** Cuts all processes off from one kind. */
  cutAll(target: Target): () => void {
    return this.#cut((link) => link.target === target);
  }

  /** Cuts all processes off from a member of MongoDB. */
  cutMember(port: number): () => void {
    return this.#cut(({ to }) => to === port);
  }

  close(): void {
    for (const { link } of this.#used) link.close();
    for (const link of this.#free) link.close();
  }

  #cut(isCut: (link: UsedLink) => boolean): () => void {
    const links = this.#used.filter(isCut);
    if (links.length === 0) throw new Error('there is no such link');
    for (const { link } of links) link.cut();
    return () => {
      for (const { link } of links) link.restore();
    };
  }

  #linkTo(to: number, from: string, target: Target): Link {
    const known = this.#used.find((each) => each.from === from && each.to === to);
    if (known) return known.link;
    const link = this.#free.pop();
    if (!link) throw new Error('too few links');
    link.leadTo(to);
    this.#used.push({ from, to, target, link });
    return link;
  }
}
