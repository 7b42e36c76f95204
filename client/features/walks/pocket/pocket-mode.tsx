import { useState } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useClose } from '../../../platform/ui/dialogs/use-close-dialog.ts';
import { PocketScreen } from './pocket-screen.tsx';

const NAME = 'pocket-explained';

/** Pocket mode, in the address as `?open=pocket`: explained once on each device, then a black screen that ignores taps. */
export default function PocketMode() {
  const userId = useUser()?.id ?? '';
  const close = useClose('open');
  const [isExplained, setExplained] = useState(() => readCache(z.boolean(), userId, NAME) === true);
  if (isExplained) return <PocketScreen onLeave={() => void close()} />;
  return (
    <Modal
      open
      onClose={() => void close()}
      title="Pocket mode"
      description="Carry your phone in your pocket, and still be warned."
    >
      <ul className="mb-5 flex list-disc flex-col gap-2 pl-5">
        <li>The screen turns black and ignores taps.</li>
        <li>Warnings sound, speak and vibrate as usual. Turn up the volume before you start.</li>
        <li>
          Don’t press the power button: phones don’t give websites a position while the screen is
          off.
        </li>
        <li>
          <strong>It uses battery.</strong> The screen and GPS stay on. Black saves most of the
          screen’s share on an OLED display, and little on an LCD. Start with a well-charged phone.
        </li>
        <li>To leave, hold the button at the bottom, or Escape, for 1.5 seconds.</li>
      </ul>
      <Button
        wide
        onClick={() => {
          writeCache(userId, NAME, true);
          setExplained(true);
        }}
      >
        Start pocket mode
      </Button>
    </Modal>
  );
}
