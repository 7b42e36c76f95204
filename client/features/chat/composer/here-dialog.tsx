import { LocateFixed } from 'lucide-react';
import { useFindPosition } from '../../../platform/position/use-find-position.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';

const MESSAGES = {
  unsupported: 'This browser can’t find where you are.',
  denied:
    'Your location is blocked. Allow it for this site in your browser’s settings, and try again.',
  unavailable: 'We can’t find where you are. Turn on location on this device, and try again.',
};

/** About a meter. */
const DIGITS = 5;

/** Returns a message with a link to a place on the map. */
export function hereMessage({ latitude, longitude }: { latitude: number; longitude: number }) {
  const [lat, lon] = [latitude.toFixed(DIGITS), longitude.toFixed(DIGITS)];
  return `I’m here: https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}`;
}

/** Sends where the user is now, once: the friend isn’t shown where they go from there. */
export function HereDialog({
  open,
  name,
  onClose,
  onSend,
}: {
  open: boolean;
  name: string;
  onClose: () => void;
  onSend: (words: string) => void;
}) {
  const { find, isFinding, problem } = useFindPosition({ isFresh: true, messages: MESSAGES });
  async function send() {
    const place = await find();
    if (place) onSend(hereMessage(place));
  }
  return (
    <Modal open={open} onClose={onClose} title="Send where you are?">
      <div className="flex flex-col gap-4">
        <p>
          {name} gets a link with your exact place now. It doesn’t follow you, and stays in this
          chat until you unsend it.
        </p>
        {problem && (
          <p role="alert" className="font-bold text-poor">
            {problem}
          </p>
        )}
        <Button
          onClick={() => void send()}
          pending={isFinding && 'Finding you…'}
          Icon={LocateFixed}
        >
          Send my place
        </Button>
      </div>
    </Modal>
  );
}
