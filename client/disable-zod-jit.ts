import { z } from 'zod';

// zod would try whether it may compile its checks, which our Content-Security-Policy forbids and reports.
z.config({ jitless: true });
