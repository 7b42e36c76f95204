import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { ASK_PATH, OPEN_PAGE } from '../../platform/install/service-worker-messages.ts';

/** Opens the pages of notifications that the user clicks, and says which page is open. Listens from the start: a click may be what opened the app. */
export function useOpenedPages(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const open = ({ data, ports }: MessageEvent<{ type?: unknown; path?: unknown } | null>) => {
      if (data?.type === ASK_PATH) ports[0]?.postMessage(location.pathname);
      if (data?.type === OPEN_PAGE && typeof data.path === 'string') void navigate(data.path);
    };
    navigator.serviceWorker?.addEventListener('message', open);
    return () => navigator.serviceWorker?.removeEventListener('message', open);
  }, [navigate]);
}
