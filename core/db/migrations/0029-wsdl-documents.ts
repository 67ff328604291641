import { Migration } from '@mikro-orm/migrations';

/** Documents of a domain may be descriptions of SOAP services. */
export class WsdlDocuments extends Migration {
  override up(): void {
    this.addSql('alter table scope_documents drop constraint scope_documents_format_check');
    this.addSql(
      "alter table scope_documents add constraint scope_documents_format_check check (format in ('openapi', 'postman', 'har', 'wsdl')) not valid",
    );
  }
}
