import type { ScoreCase } from '../../../case.ts';
import { withOpenssl } from '../../../sites/tls.ts';

export const cases: ScoreCase[] = [
  withOpenssl('server of TLS 1.3 alone', ['-tls1_3', '-early_data', '-max_early_data', '16384'], ['-tls1_3']),
  withOpenssl('server that has TLS 1.2, too', ['-early_data', '-max_early_data', '4096'], []),
  withOpenssl(
    'server without a list of tickets that were seen',
    ['-early_data', '-max_early_data', '65536', '-no_anti_replay'],
    ['-max_early_data', '0', '-no_anti_replay'],
  ),
];
