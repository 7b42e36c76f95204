import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { scannedPath } from '#shared/friend-links/contract.ts';
import { PRODUCT } from '../../platform/product.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { readQrCodes } from './read-qr-codes.ts';
import { SCANNED_HERE } from './scanned-here.ts';

const SCAN_EVERY_MS = 250;

/** Why there is no picture of the camera. @param error what `getUserMedia` threw */
function problemOf(error: unknown): 'blocked' | 'busy' | 'missing' {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotFoundError') return 'missing';
  return name === 'NotReadableError' ? 'busy' : 'blocked';
}

/** Scans another member's QR code with this device's camera, and opens its link. */
export default function Scanner() {
  const [attempt, setAttempt] = useState(0);
  return <Camera key={attempt} onRetry={() => setAttempt(attempt + 1)} />;
}

function Camera({ onRetry }: { onRetry: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const navigate = useNavigate();
  const [problem, setProblem] = useState<'blocked' | 'busy' | 'missing' | null>(null);
  const [isForeign, setForeign] = useState(false);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    const scan = async () => {
      if (!video.current || video.current.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      const texts = await readQrCodes(video.current);
      const path = texts.map((text) => scannedPath(text, location.origin)).find(Boolean);
      if (isOver) return;
      if (path) await navigate(path, { state: SCANNED_HERE });
      else setForeign(texts.length > 0);
    };
    const timer = setInterval(() => void scan().catch(() => null), SCAN_EVERY_MS);
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment' },
        });
      } catch (error) {
        if (!isOver) setProblem(problemOf(error));
        return;
      }
      if (isOver) stop();
      else if (video.current) video.current.srcObject = stream;
    };
    void start();
    return () => {
      isOver = true;
      clearInterval(timer);
      stop();
    };
  }, [navigate]);

  if (problem === 'missing')
    return (
      <ErrorBanner title="We can’t find a camera">
        Scan the code with a phone’s camera app instead.
      </ErrorBanner>
    );
  if (problem)
    return (
      <ErrorBanner title="We can’t use the camera" onRetry={onRetry}>
        {problem === 'busy'
          ? 'Another app may be using it. Close that app, or scan the code with your phone’s camera app.'
          : 'Allow it in your browser’s settings, or scan the code with your phone’s camera app.'}
      </ErrorBanner>
    );
  return (
    <div className="flex flex-col gap-3">
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        aria-label="Camera"
        className="aspect-square w-full rounded-control bg-sunken object-cover"
      />
      <p role="status" className="text-soft">
        {isForeign
          ? `This isn’t a ${PRODUCT} friend code.`
          : 'Point the camera at the QR code on the other phone.'}
      </p>
    </div>
  );
}
