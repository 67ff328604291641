import { Migration } from '@mikro-orm/migrations';

/** One statement for what callers poll: PostgreSQL keeps its plans in each connection, where it plans statements that are sent anew. */
export class ReadScan extends Migration {
  override up(): void {
    this.addSql(`create function read_scan(of_org uuid, wanted_run_id uuid)
      returns table (scan scans, families jsonb, omitted json)
      language plpgsql volatile as $$
      begin
        perform set_config('app.org_id', of_org::text, true);
        return query select s,
          (select jsonb_agg(f.body order by f.family) from family_coverage f where f.run_id = s.run_id),
          (select json_agg(json_build_object('code', o.code, 'subject', o.subject, 'count', o.count, 'text', o.text)
              order by o.family, o.subject, o.code)
            from omissions o where o.run_id = s.run_id)
          from scans s where s.run_id = wanted_run_id and s.org_id = of_org;
      end $$`);
  }
}
