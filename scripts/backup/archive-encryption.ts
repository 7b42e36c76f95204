import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Transform, type TransformCallback } from 'node:stream';

/**
 * An archive is a header, and chunks that are encrypted and authenticated one by one with AES-256-GCM. The nonce is the number of the
 * chunk, and the last chunk says that it is the last: chunks can't be changed, exchanged, repeated or left out.
 *
 *     header: MAGIC, salt (32 bytes)
 *     chunk: length of its content, with the highest bit for the last one (4 bytes), content, tag (16 bytes)
 */
const MAGIC = Buffer.from('LEASHWISE-BKP-1\n');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const CHUNK_BYTES = 256 * 1024;
const LAST = 0x8000_0000;

/** An archive that can't be read: the key is wrong, or the file isn't what was written. */
export class ArchiveError extends Error {}

/**
 * Returns the key of archives: 32 bytes in hexadecimal in the file that BACKUP_KEY_FILE names, or in BACKUP_KEY if the file is empty:
 * docker-compose.yml passes an empty one if none is named.
 * @throws when there is none, it can't be read, or it isn't a key
 */
export function readBackupKey(env: NodeJS.ProcessEnv): Buffer {
  const file = env['BACKUP_KEY_FILE'];
  const text = (file && readKeyFile(file)) || (env['BACKUP_KEY'] ?? '').trim();
  if (text === '')
    throw new Error(
      'Backups are encrypted. Create a key with `openssl rand -hex 32 > backup.key`, store it in another place than the backups, ' +
        'and set BACKUP_KEY_FILE=backup.key.',
    );
  if (!/^[\da-f]{64}$/i.test(text))
    throw new Error('The backup key must be 64 hexadecimal characters: openssl rand -hex 32');
  return Buffer.from(text, 'hex');
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'EACCES'
        ? `User ${userId()} may not read the key in ${file}. Change its owner: chown ${userId()} <file>`
        : `The key can’t be read from ${file} (${code ?? 'unknown error'}).`,
      { cause: error },
    );
  }
}

/** The user of this process, for instructions about files. */
export const userId = (): number => process.getuid?.() ?? 0;

const archiveKey = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, MAGIC, 32));

function nonceOf(chunk: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(chunk), 4);
  return nonce;
}

/** Encrypts a stream. */
export function encrypt(key: Buffer): Transform {
  const salt = randomBytes(SALT_BYTES);
  const own = archiveKey(key, salt);
  let number = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const encryptChunk = (content: Buffer, isLast: boolean): Buffer => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE((content.length | (isLast ? LAST : 0)) >>> 0);
    const cipher = createCipheriv('aes-256-gcm', own, nonceOf(number++)).setAAD(length);
    return Buffer.concat([length, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = new Transform({
    transform(piece: Buffer, _encoding, done) {
      waiting.push(piece);
      bytes += piece.length;
      if (bytes > CHUNK_BYTES) {
        let all = Buffer.concat(waiting, bytes);
        for (; all.length > CHUNK_BYTES; all = all.subarray(CHUNK_BYTES))
          stream.push(encryptChunk(all.subarray(0, CHUNK_BYTES), false));
        waiting = [all];
        bytes = all.length;
      }
      done();
    },
    flush(done) {
      stream.push(encryptChunk(Buffer.concat(waiting, bytes), true));
      done();
    },
  });
  stream.push(Buffer.concat([MAGIC, salt]));
  return stream;
}

/**
 * Decrypts a stream. It fails with an `ArchiveError` before it passes on anything that isn't authentic, and at the end if the last
 * chunk is missing.
 */
export function decrypt(key: Buffer): Transform {
  let own: Buffer | null = null;
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isComplete = false;

  function* read(): Generator<Buffer> {
    if (!own) {
      if (rest.length < MAGIC.length + SALT_BYTES) return;
      if (!rest.subarray(0, MAGIC.length).equals(MAGIC))
        throw new ArchiveError('This file isn’t a backup of Leashwise.');
      own = archiveKey(key, rest.subarray(MAGIC.length, MAGIC.length + SALT_BYTES));
      rest = rest.subarray(MAGIC.length + SALT_BYTES);
    }
    while (rest.length >= LENGTH_BYTES) {
      if (isComplete) throw new ArchiveError('The backup was changed: something follows its end.');
      const length = rest.subarray(0, LENGTH_BYTES);
      const word = length.readUInt32BE();
      const size = word % LAST;
      if (size > CHUNK_BYTES)
        throw new ArchiveError('The backup was changed: a chunk is too large.');
      const end = LENGTH_BYTES + size + TAG_BYTES;
      if (rest.length < end) return;
      const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(number)).setAAD(length);
      decipher.setAuthTag(rest.subarray(end - TAG_BYTES, end));
      let content: Buffer;
      try {
        const started = decipher.update(rest.subarray(LENGTH_BYTES, end - TAG_BYTES));
        content = Buffer.concat([started, decipher.final()]);
      } catch {
        throw new ArchiveError(
          number === 0
            ? 'The backup key is wrong, or the backup was changed.'
            : 'The backup was changed or damaged.',
        );
      }
      number++;
      isComplete = word >= LAST;
      rest = rest.subarray(end);
      yield content;
    }
  }

  const stream = new Transform({
    transform(piece: Buffer, _encoding, done: TransformCallback) {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      try {
        for (const content of read()) stream.push(content);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      const isWhole = isComplete && rest.length === 0;
      done(isWhole ? null : new ArchiveError('The backup is incomplete: its end is missing.'));
    },
  });
  return stream;
}
