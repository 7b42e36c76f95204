import { useState } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../../platform/ui/dialogs/use-close-dialog.ts';
import { Summary } from '../../../platform/ui/layout/summary.tsx';
import { PocketScreen } from './pocket-screen.tsx';

const NAME = 'pocket-explained';

/** Pocket mode, in the address as `?open=pocket`: explained once on each device, then a black screen that ignores taps. */
export default function PocketMode() {
  const userId = useUser()?.id ?? '';
  const close = useCloseDialog('open');
  const [isExplained, setExplained] = useState(() => readCache(z.boolean(), userId, NAME) === true);
  if (isExplained) return <PocketScreen onLeave={() => void close()} />;
  return (
    <Modal
      open
      onClose={() => void close()}
      title="Pocket mode"
      description="Carry your phone in your pocket, and still be warned."
    >
      <p className="mb-3">
        <strong>Don’t press the power button:</strong> warnings work only while the screen is on. It
        turns black and ignores taps. To leave, hold the button at the bottom.
      </p>
      <details className="mb-5">
        <Summary className="text-sm text-soft">Sound, battery and keyboard</Summary>
        <p className="text-sm">
          No phone gives an app its position behind a locked screen, not even while it plays sound.
          Your music goes on. Warnings sound, speak and vibrate as usual, so turn up the volume
          first. It uses battery. The screen and GPS stay on; black saves most of the screen’s share
          on an OLED display. The Escape key, held for 1.5 seconds, leaves too.
        </p>
      </details>
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
