import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Db } from 'mongodb';
import { backups } from '#shared/server/backup-rows.ts';
import type { Services } from '../../platform/services.ts';

const TLS_MS = 3_000;

/** Measures what no request notices until it is too late: old backups, a full disk, and a certificate that ends. */
export function observeOperations({ db, env, metrics }: Services): void {
  metrics.gauge('backup_timestamp_seconds', 'The moment that the newest backup has.', () =>
    newestBackup(db),
  );
  metrics.gauge('mongodb_disk_free_ratio', 'The free part of the disk of MongoDB’s primary.', () =>
    freeRatio(db),
  );
  const { protocol, hostname, port } = new URL(env.PUBLIC_ORIGIN);
  if (protocol !== 'https:') return;
  metrics.gauge(
    'certificate_expires_timestamp_seconds',
    'When the certificate that browsers get ends.',
    () => certificateEnd(hostname, Number(port || 443)),
  );
}

/** @returns seconds since 1970; undefined if there is no backup. The ledger alone is none */
async function newestBackup(db: Db): Promise<number | undefined> {
  const [newest] = await backups(db)
    .find({ _id: { $in: ['full', 'changes'] } })
    .sort({ at: -1 })
    .limit(1)
    .toArray();
  return newest && newest.at.getTime() / 1000;
}

/** @returns undefined where MongoDB doesn't say, such as some managed ones */
async function freeRatio(db: Db): Promise<number | undefined> {
  const { fsTotalSize, fsUsedSize } = await db.command({ dbStats: 1 });
  return fsTotalSize > 0 ? 1 - fsUsedSize / fsTotalSize : undefined;
}

/** @returns seconds since 1970. @throws when it can't be read within seconds */
async function certificateEnd(host: string, port: number): Promise<number> {
  // One that is not valid (any more) has an end, too.
  const socket = connect({ host, port, servername: host, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TLS_MS) });
    return Date.parse(socket.getPeerCertificate().valid_to) / 1000;
  } finally {
    socket.destroy();
  }
}
