import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import webPush from 'web-push';
import { insertOnce } from '../database.ts';
import type { Env } from '../env.ts';
import { secretsOf } from '../hmac.ts';
import { pushKeys, type PushKeysRow } from './collections.ts';

/** The servers' key pair, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key of one secret that encrypts the private key. */
const cipherKey = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'leashwise push private key', 32));

/** Encrypts the private key, so that a copy of the database alone cannot send pushes. @returns base64url */
function encryptKey(secret: string, privateKey: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(secret), iv);
  const encrypted = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** @returns null if it was encrypted with another secret */
function decryptKey(secret: string, stored: string): string | null {
  const bytes = Buffer.from(stored, 'base64url');
  const decipher = createDecipheriv(CIPHER, cipherKey(secret), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  try {
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const rest = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

type KeyEnv = Pick<Env, 'SYNC_SECRET' | 'SYNC_SECRET_PREVIOUS' | 'vapid'>;

/**
 * Returns the key pair of this installation: from the environment, or else the stored one, which the first call creates. All nodes
 * get the same. If the secret was changed without `SYNC_SECRET_PREVIOUS`, there is a new pair, and devices subscribe again.
 */
export async function readVapidKeys(db: Db, env: KeyEnv): Promise<VapidKeys> {
  const { vapid } = env;
  if (vapid.publicKey && vapid.privateKey)
    return { publicKey: vapid.publicKey, privateKey: vapid.privateKey };
  const [secret = ''] = secretsOf(env);
  const createRow = (): PushKeysRow => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const private_key = encryptKey(secret, privateKey);
    return { _id: 'vapid', public_key: publicKey, private_key, created_at: new Date() };
  };
  let row =
    (await pushKeys(db).findOne({ _id: 'vapid' })) ?? (await insertOnce(pushKeys(db), createRow()));
  for (;;) {
    for (const [index, each] of secretsOf(env).entries()) {
      const privateKey = decryptKey(each, row.private_key);
      if (privateKey === null) continue;
      const same = { _id: row._id, private_key: row.private_key };
      // The previous secret will be removed.
      if (index > 0)
        await pushKeys(db).updateOne(same, {
          $set: { private_key: encryptKey(secret, privateKey) },
        });
      return { publicKey: row.public_key, privateKey };
    }
    const { _id, ...fresh } = createRow();
    const replaced = await pushKeys(db).findOneAndUpdate(
      { _id, private_key: row.private_key },
      { $set: fresh },
      { returnDocument: 'after' },
    );
    // Another node was faster.
    row = replaced ?? (await pushKeys(db).findOne({ _id })) ?? row;
  }
}
