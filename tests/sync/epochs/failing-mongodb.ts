import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { onMessages } from '../watched-mongodb.ts';

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
/** The collections that a replaced document is in. */
const COLLECTIONS = new Set(['documents', 'document_log', 'users', 'cards', 'signals']);
/** The driver does not repeat an operation that failed so. */
const FAILURE = { ok: 0, code: 8_000, codeName: 'AtlasError', errmsg: 'the test fails this' };

/** A proxy for MongoDB that fails from a certain write on, as for servers that end there. */
export interface FailingMongodb {
  uri: string;
  /** Whether it fails now. */
  readonly isFailing: boolean;
  /** Settles when it begins to fail. */
  readonly failed: Promise<void>;
  /** The writes since `failAfter`, by command and collection. */
  readonly writes: readonly string[];
  /**
   * @param count how many writes succeed from now on; Infinity for all
   * @param isCarriedOut whether the first one that fails is carried out nevertheless
   */
  failAfter(count: number, isCarriedOut: boolean): void;
  close(): void;
}

/** @param uri the URI of one server without TLS */
export async function startFailingMongodb(uri: string): Promise<FailingMongodb> {
  const through = new URL(uri);
  const { port } = through;
  const host = decodeURIComponent(through.hostname);
  through.searchParams.set('directConnection', 'true');
  const sockets = new Set<Socket>();
  let left = Infinity;
  let isCarriedOut = false;
  let isFailing = false;
  let begin = () => {};
  const next = () => new Promise<void>((resolve) => (begin = resolve));
  let failed = next();
  let writes: string[] = [];
  const server = createServer((near) => {
    const far = host.endsWith('.sock') ? connect(host) : connect(Number(port || 27_017), host);
    /** Ids of messages whose answers are replaced by failures. */
    const failed = new Set<number>();
    const fail = (id: number) => near.write(answerTo(id));
    onMessages(near, ({ id, body, bytes }) => {
      const [name = '', collection] = Object.entries(body ?? {})[0] ?? [];
      const isWrite = WRITES.has(name) && COLLECTIONS.has(String(collection));
      if (!isWrite) return far.write(bytes);
      if (isFailing) return fail(id);
      writes.push(`${name} ${String(collection)}`);
      if (left-- > 0) return far.write(bytes);
      isFailing = true;
      begin();
      if (!isCarriedOut) return fail(id);
      failed.add(id);
      return far.write(bytes);
    });
    onMessages(far, ({ answers, bytes }) =>
      failed.delete(answers) ? fail(answers) : near.write(bytes),
    );
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: through.href,
    get isFailing() {
      return isFailing;
    },
    get failed() {
      return failed;
    },
    get writes() {
      return writes;
    },
    failAfter(count, carriedOut) {
      left = count;
      isCarriedOut = carriedOut;
      isFailing = false;
      failed = next();
      writes = [];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function answerTo(id: number): Buffer {
  const body = BSON.serialize(FAILURE);
  const message = Buffer.alloc(21 + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(id, 8);
  message.writeInt32LE(2_013, 12);
  message.set(body, 21);
  return message;
}
