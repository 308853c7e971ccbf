"""Language codes as FLORES-200 and the sources of parallel text write them, with the key of each."""

FLORES = """
ace_Arab ace_Latn acm_Arab acq_Arab aeb_Arab afr_Latn ajp_Arab aka_Latn als_Latn amh_Ethi apc_Arab
arb_Arab arb_Latn ars_Arab ary_Arab arz_Arab asm_Beng ast_Latn awa_Deva ayr_Latn azb_Arab azj_Latn
bak_Cyrl bam_Latn ban_Latn bel_Cyrl bem_Latn ben_Beng bho_Deva bjn_Arab bjn_Latn bod_Tibt bos_Latn
bug_Latn bul_Cyrl cat_Latn ceb_Latn ces_Latn cjk_Latn ckb_Arab crh_Latn cym_Latn dan_Latn deu_Latn
dik_Latn dyu_Latn dzo_Tibt ell_Grek eng_Latn epo_Latn est_Latn eus_Latn ewe_Latn fao_Latn fij_Latn
fin_Latn fon_Latn fra_Latn fur_Latn fuv_Latn gaz_Latn gla_Latn gle_Latn glg_Latn grn_Latn guj_Gujr
hat_Latn hau_Latn heb_Hebr hin_Deva hne_Deva hrv_Latn hun_Latn hye_Armn ibo_Latn ilo_Latn ind_Latn
isl_Latn ita_Latn jav_Latn jpn_Jpan kab_Latn kac_Latn kam_Latn kan_Knda kas_Arab kas_Deva kat_Geor
kaz_Cyrl kbp_Latn kea_Latn khk_Cyrl khm_Khmr kik_Latn kin_Latn kir_Cyrl kmb_Latn kmr_Latn knc_Arab
knc_Latn kon_Latn kor_Hang lao_Laoo lij_Latn lim_Latn lin_Latn lit_Latn lmo_Latn ltg_Latn ltz_Latn
lua_Latn lug_Latn luo_Latn lus_Latn lvs_Latn mag_Deva mai_Deva mal_Mlym mar_Deva min_Arab min_Latn
mkd_Cyrl mlt_Latn mni_Beng mos_Latn mri_Latn mya_Mymr nld_Latn nno_Latn nob_Latn npi_Deva nqo_Nkoo
nso_Latn nus_Latn nya_Latn oci_Latn ory_Orya pag_Latn pan_Guru pap_Latn pbt_Arab pes_Arab plt_Latn
pol_Latn por_Latn prs_Arab quy_Latn ron_Latn run_Latn rus_Cyrl sag_Latn san_Deva sat_Olck scn_Latn
shn_Mymr sin_Sinh slk_Latn slv_Latn smo_Latn sna_Latn snd_Arab som_Latn sot_Latn spa_Latn srd_Latn
srp_Cyrl ssw_Latn sun_Latn swe_Latn swh_Latn szl_Latn tam_Taml taq_Latn taq_Tfng tat_Cyrl tel_Telu
tgk_Cyrl tgl_Latn tha_Thai tir_Ethi tpi_Latn tsn_Latn tso_Latn tuk_Latn tum_Latn tur_Latn twi_Latn
tzm_Tfng uig_Arab ukr_Cyrl umb_Latn urd_Arab uzn_Latn vec_Latn vie_Latn war_Latn wol_Latn xho_Latn
ydd_Hebr yor_Latn yue_Hant zho_Hans zho_Hant zsm_Latn zul_Latn
""".split()
"""Each is its own key."""

OTHERS = """
aar_Latn=aa abk_Cyrl=ab ace_Latn=ace ach_Latn=ach ady_Cyrl=ady aeb_Arab=aeb afr_Latn=af_ZA,afr
aii_Syrc=aii aka_Latn=ak als_Latn=sq_AL,sqi alz_Latn=alz amh_Ethi=am_ET,amh apc_Arab=apc
apd_Arab=apd-SD arb_Arab=ar,ar_AR,ara,arb arn_Latn=arn arq_Arab=arq ary_Arab=ar-MA arz_Arab=arz
asm_Beng=as,as_IN ava_Cyrl=av awa_Deva=awa ayl_Arab=ayl ayr_Latn=ay azj_Latn=az_AZ,aze,aze-Latn
bak_Cyrl=ba,bak bal_Arab=bal bam_Latn=bm bam_Nkoo=bm-Nkoo ban_Latn=ban bbc_Latn=bbc bci_Latn=bci
bel_Cyrl=be_BY,bel bem_Latn=bem ben_Beng=ben,bn,bn_IN ber_Latn=ber,ber-Latn bew_Latn=bew
bho_Deva=bho bik_Latn=bik bjn_Arab=bjn-Arab bjn_Latn=bjn bod_Tibt=bo,bod bos_Latn=bos,bs_BA
bre_Latn=br,bre brx_Deva=brx bts_Latn=bts btx_Latn=btx bua_Cyrl=bua bug_Latn=bug bul_Cyrl=bg_BG,bul
cat_Latn=ca_ES,cat cbk_Latn=cbk ceb_Latn=ceb,cx_PH ces_Latn=ces,cs_CZ cgg_Latn=cgg cha_Latn=ch,cha
che_Cyrl=ce chk_Latn=chk chm_Cyrl=chm chv_Cyrl=chv,cv ckb_Arab=cb_IQ,ckb,ckb-Arab cnh_Latn=cnh
cor_Latn=cor cpf_Latn=cpf crh_Cyrl=crh crh_Latn=crh-Latn crs_Latn=crs ctg_Beng=ctg cym_Latn=cym
dan_Latn=da_DK,dan deu_Latn=de_DE,deu dik_Latn=din div_Thaa=div,dv doi_Deva=doi dov_Latn=dov
dtp_Latn=dtp,kzj dyu_Latn=dyu dzo_Tibt=dz,dzo efi_Latn=efi ell_Grek=el_GR,ell epo_Latn=epo
est_Latn=est,et_EE eus_Latn=eus ewe_Latn=ee,ewe fao_Latn=fao,fo fij_Latn=fij,fj fin_Latn=fi_FI,fin
fon_Latn=fon fra_Latn=fr,fr_XX,fra,fra-CA fry_Latn=fry fuc_Latn=fuc fur_Latn=fur fuv_Latn=ff,fuv
gaa_Latn=gaa gaz_Latn=om,om_KE,orm gla_Latn=gla gle_Latn=gle glg_Latn=glg glv_Latn=gv gom_Deva=gom
gos_Latn=gos got_Goth=got grc_Grek=grc grn_Latn=gn,gug_Latn gsw_Latn=gsw guj_Gujr=gu_IN,guj
hat_Latn=ht_HT hau_Latn=ha,ha_NG,hau hbs_Latn=hbs heb_Hebr=he_IL,heb hil_Latn=hil
hin_Deva=hi,hi_IN,hin hmn_Latn=hmn hne_Deva=hne hoc_Latn=hoc hrv_Latn=hr_HR,hrv hrx_Latn=hrx
hun_Latn=hu_HU,hun hye_Armn=hy_AM,hye iba_Latn=iba ibo_Latn=ibo,ig_NG ido_Latn=ido iku_Cans=iu
ile_Latn=ile ilo_Latn=ilo ina_Latn=ina ind_Latn=id,id_ID,ind isl_Latn=is_IS,isl iso_Latn=iso
ita_Latn=it_IT,ita jam_Latn=jam jav_Latn=jav,jv_ID jbo_Latn=jbo
jpn_Jpan=ja_XX,jpn,jpn_Hani,jpn_Hira,jpn_Kana kaa_Cyrl=kaa kab_Latn=kab kac_Latn=kac kal_Latn=kl
kan_Knda=kan,kn_IN kas_Arab=ks kas_Deva=ks-Deva kat_Geor=ka_GE,kat kaz_Cyrl=kaz,kk_KZ kbd_Cyrl=kbd
kek_Latn=kek kha_Latn=kha khk_Cyrl=mn_MN,mon khm_Khmr=khm,km,km_KH kik_Latn=ki kin_Latn=kin,rw
kir_Cyrl=kir kmr_Latn=kmr,ku,kur,kur_Latn knc_Latn=kr kom_Cyrl=kv kon_Latn=kg kor_Hang=ko_KR,kor
kri_Latn=kri ktu_Latn=ktu lad_Hebr=lad lao_Laoo=lao,lo_LA lat_Latn=lat lfn_Latn=lfn lij_Latn=lij
lim_Latn=li lin_Latn=ln,ln_CD lit_Latn=lit,lt_LT lmo_Latn=lmo ltg_Latn=ltg ltz_Latn=ltz lub_Latn=lu
lug_Latn=lg,lg_UG luo_Latn=luo lus_Latn=lus lvs_Latn=lav,lv_LV mad_Latn=mad mag_Deva=mag mah_Latn=mh
mai_Deva=mai mak_Latn=mak mal_Mlym=mal,ml_IN mam_Latn=mam mar_Deva=mar,mr,mr_IN meo_Latn=meo
mey_Arab=mey mfe_Latn=mfe min_Latn=min mkd_Cyrl=mk_MK,mkd mlt_Latn=mlt mni_Mtei=mni-Mtei
mos_Latn=mos mri_Latn=mri mwr_Deva=mwr mya_Mymr=my,my_MM,mya nav_Latn=nv nbl_Latn=nr ndc_Latn=ndc-ZW
nde_Latn=nd,nde nds_Latn=nds new_Deva=new nhe_Latn=nhe nld_Latn=nl_XX,nld nno_Latn=nno
nob_Latn=no_XX,nob,nor nov_Latn=nov npi_Deva=ne,ne_NP,nep nso_Latn=ns_ZA,nso nst_Latn=nst
nus_Latn=nus nya_Latn=nya oci_Latn=oc,oci orv_Cyrl=orv oss_Cyrl=os ota_Arab=ota pag_Latn=pag
pam_Latn=pam pan_Arab=pa-Arab pan_Guru=pa_IN,pan pap_Latn=pap pbt_Arab=ps,ps_AF,pus pcm_Latn=pcm
pes_Arab=fa,fa_IR,fas,pes plt_Latn=mg_MG,mlg pms_Latn=pms pol_Latn=pl_PL,pol
por_Latn=por,por-BR,pt-BR,pt_XX prg_Latn=prg prs_Arab=fa-AF,prs quc_Latn=quc quy_Latn=qu,que
rhg_Latn=rhg-Latn rom_Latn=rom ron_Latn=ro_RO,ron run_Latn=rn,run rus_Cyrl=ru,ru_RU,rus sag_Latn=sg
sah_Cyrl=sah san_Deva=sa sat_Latn=sat-Latn scn_Latn=scn shi_Arab=shi shn_Mymr=shn sin_Sinh=si_LK,sin
skr_Arab=skr slk_Latn=sk_SK,slk slv_Latn=sl_SI,slv sme_Latn=se smo_Latn=smo sna_Latn=sna-Latn
snd_Arab=snd-Arab som_Latn=so,so_SO,som spa_Latn=es,es-LA,es_XX,spa,spa-MX srp_Cyrl=sr_RS,srp-Cyrl
srp_Latn=srp-Latn ssw_Latn=ss,ss_SZ,ssw sun_Latn=su_ID sus_Latn=sus swe_Latn=sv_SE,swe
swh_Latn=sw,sw_KE,swa syl_Beng=syl szl_Latn=szl tah_Latn=tah,ty tam_Taml=ta,ta_IN,tam tat_Cyrl=tat
tcy_Knda=tcy tel_Telu=te_IN,tel tet_Latn=tet tgk_Cyrl=tgk-Cyrl tgl_Latn=fil,tgl,tl,tl_XX
tha_Thai=th_TH,tha tir_Ethi=ti,ti_ER,ti_ET,tir tiv_Latn=tiv tlh_Latn=tlh tok_Latn=toki
ton_Latn=to,ton tpi_Latn=tpi trp_Latn=trp tsn_Latn=tn,tn_BW,tsn tso_Latn=ts tuk_Latn=tuk
tum_Latn=tum tur_Latn=tr_TR,tur tyv_Cyrl=tyv tzl_Latn=tzl tzm_Tfng=zgh_Tfng udm_Cyrl=udm
uig_Arab=uig ukr_Cyrl=uk_UA,ukr urd_Arab=ur,ur_PK,urd uzn_Latn=uzb,uzb_Latn vec_Latn=vec
ven_Latn=ve,ven vie_Latn=vi_VN,vie vol_Latn=vol war_Latn=war wol_Latn=wo,wo_SN,wol xal_Cyrl=xal
xho_Latn=xh_ZA,xho ydd_Hebr=yid yor_Latn=yo_NG,yor yua_Latn=yua yue_Hant=yue zap_Latn=zap
zho_Hans=cmn_Hans,zh,zh_CN,zho,zho-CN zho_Hant=cmn_Hant,zh_TW,zho-TW zsm_Arab=ms-Arab
zsm_Latn=ms,ms_MY,msa zul_Latn=zu,zu_ZA,zul zza_Latn=zza
""".split()
"""A key, and the codes that mean it, as in "deu_Latn=de,deu"."""
