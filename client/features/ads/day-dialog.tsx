import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import type { Ad } from '#shared/ads/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { reachability } from '../../platform/http/reachability.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { prefixOf } from '../../platform/storage-keys.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { readStorage, writeStorage } from '../../platform/web-storage.ts';
import { useProximity } from '../proximity/use-proximity.ts';
import { useWalking } from '../proximity/use-walking.ts';
import { clickOf } from './reports.ts';
import { AdLink, loadAd } from './slot-content.tsx';
import { SLOT_HEIGHTS } from './slot-props.ts';

/** Not on the screen where walks start: a tap there must not hit an ad. */
const PAGES = new Set(['/social', '/you', '/community']);
/** Until someone has seen the page that they opened. */
const DELAY_MS = 1_500;

const keyOf = (userId: string) => `${prefixOf(userId)}dialog-ad`;

/** Whether this device has shown none for a day. */
function isDue(userId: string): boolean {
  const last = readStorage(z.number(), keyOf(userId));
  return last === null || Math.abs(Date.now() - last) >= DAY_MS;
}

/** The ad over a page: once a day at most, and never on a walk or over another dialog. */
export default function DayDialog() {
  const userId = useUser()?.id ?? '';
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const { isWalking } = useWalking();
  const { alerts } = useProximity();
  const documents = useDocuments();
  const [ad, setAd] = useState<Ad | null>(null);
  const isPossible =
    PAGES.has(pathname) && !search.has('open') && !isWalking && alerts.length === 0;

  useEffect(() => {
    if (!isPossible) return setAd(null);
    if (!isDue(userId)) return;
    let isLeft = false;
    const show = async () => {
      if (!reachability.get()) return;
      const found = await loadAd('modal');
      if (!found || isLeft || document.hidden || !isDue(userId)) return;
      if (document.querySelector('[role=dialog]')) return;
      // Without storage it would be shown again and again.
      if (writeStorage(keyOf(userId), Date.now())) setAd(found);
    };
    const timer = setTimeout(() => void show().catch(() => {}), DELAY_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isPossible, userId]);

  if (!ad || !isPossible) return null;
  const sendClick = async (clicked: Ad) => {
    const { name, input } = clickOf(clicked);
    if (documents) await sendLater(documents, name, input);
  };
  return (
    <Modal open onClose={() => setAd(null)} title="Sponsor">
      <div className={SLOT_HEIGHTS.modal}>
        <AdLink ad={ad} sendClick={sendClick} />
      </div>
    </Modal>
  );
}
