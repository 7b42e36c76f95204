import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** The collections that hold documents. */
const DOCUMENTS = new Set(['documents', 'document_log', 'document_quarantine', 'cards']);
/** Flags and the kind of the first section, which is the command. */
const BEFORE_COMMAND = HEADER_BYTES + 5;

/** A command with its response. */
export interface Passage {
  command: Record<string, unknown>;
  answer: Record<string, unknown>;
}

/** A command about others that looks documents up. */
const LOOKUP = /"from":"documents"/;

const OF_SESSIONS = new Set(['lsid', '$clusterTime', 'operationTime']);
/** Removes what says in which session of the driver, and when, a command was sent. */
const withoutSession = (message: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OF_SESSIONS.has(name)));

/** What the quarantine looks for. */
const REPEATED = /"quarantine\.(failed_at|retry_at)":\{|"distinct":"document_quarantine"/;

/** A proxy for MongoDB that records commands. */
export interface WatchedMongodb {
  uri: string;
  /** All commands about documents so far, with their responses, but those that a server repeats every few seconds. */
  readonly passages: readonly Passage[];
  /** Breaks all connections. */
  hangUp(): void;
  close(): void;
}

/**
 * @param uri the URI of one server without TLS
 * @param isLost returns whether the connection breaks at this command
 */
export async function watchMongodb(
  uri: string,
  isLost: (command: Record<string, unknown>) => boolean = () => false,
): Promise<WatchedMongodb> {
  const through = new URL(uri);
  const { port } = through;
  // A socket's path is percent-encoded in the place of the host.
  const host = decodeURIComponent(through.hostname);
  through.searchParams.set('directConnection', 'true');
  const passages: Passage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = host.endsWith('.sock') ? connect(host) : connect(Number(port || 27_017), host);
    const asked = new Map<number, Record<string, unknown>>();
    onMessages(near, ({ id, body }) => {
      if (!body) return;
      asked.set(id, body);
      if (isLost(body)) near.destroy();
    });
    onMessages(far, ({ answers, body }) => {
      const command = asked.get(answers);
      asked.delete(answers);
      const isAbout =
        command &&
        (DOCUMENTS.has(String(Object.values(command)[0])) || LOOKUP.test(JSON.stringify(command)));
      if (isAbout && body && !REPEATED.test(JSON.stringify(command)))
        passages.push({ command: withoutSession(command), answer: withoutSession(body) });
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: through.href,
    passages,
    hangUp,
    close() {
      server.close();
      hangUp();
    },
  };
}

interface Message {
  id: number;
  /** The id of the message that this one answers. */
  answers: number;
  /** Null for messages of older protocols. */
  body: Record<string, unknown> | null;
  bytes: Buffer;
}

/** Calls a function with each message of MongoDB's protocol that arrives. */
export function onMessages(socket: Socket, take: (message: Message) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (some) => {
    bytes = Buffer.concat([bytes, some]);
    while (bytes.length >= HEADER_BYTES && bytes.length >= bytes.readInt32LE(0)) {
      const message = bytes.subarray(0, bytes.readInt32LE(0));
      bytes = bytes.subarray(message.length);
      take({
        id: message.readInt32LE(4),
        answers: message.readInt32LE(8),
        body: message.readInt32LE(12) === OP_MSG ? bodyOf(message) : null,
        bytes: message,
      });
    }
  });
}

function bodyOf(message: Buffer): Record<string, unknown> {
  const size = message.readInt32LE(BEFORE_COMMAND);
  return BSON.deserialize(message.subarray(BEFORE_COMMAND, BEFORE_COMMAND + size));
}
